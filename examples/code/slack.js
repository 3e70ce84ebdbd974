/** Words of others as Slack shows them: on one line, shortened, without formatting, mentions, or links. */
const quote = (text) => `\`${plain(text)}\``;

const plain = (text) =>
	text
		.replaceAll('"', '')
		.split(/\s+/)
		.map((word) =>
			/^[\w.+-]+@[\w.-]+$/.test(word)
				? word
				: word.replace(/\.(?!\d)|[^\p{L}\p{N}.,$/+_-]+/gu, ' '),
		)
		.join(' ')
		.slice(0, 250);
