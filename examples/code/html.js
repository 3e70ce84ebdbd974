/** Words of others in a page: none of them is a tag. */
const escaped = (text) =>
	String(text ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
