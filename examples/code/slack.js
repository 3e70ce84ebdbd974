/** An email address as a whole, also in brackets, or before a comma. */
const ADDRESS = /(?<![\w.+/@-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?![\w@/-]|\.\w)/u;

/** What Slack could read: a dot of a link, a colon of a link or an emoji, a mark of a channel, and other marks. */
const MARKS = [
	/\.(?!\s|\d|$)/u,
	/:(?!\s|$|(?<=\w:)\d)/u,
	/#(?!\d)/u,
	/[^\p{L}\p{N}\s.,:;#'()[\]$/+_-]+/u,
];

const ADDRESS_OR_MARK = new RegExp(
	`(${ADDRESS.source})|${MARKS.map(({ source }) => source).join('|')}`,
	'gu',
);

/** Words of others as Slack shows them: on one line, shortened, without formatting, mentions, or links. */
const quote = (text) => `\`${plain(text, 800)}\``;

const plain = (text, most) =>
	text
		.replaceAll('"', '')
		.replace(ADDRESS_OR_MARK, (_, address) => address ?? ' ')
		.replace(/\s+/g, ' ')
		.trim()
		.slice(0, most);
