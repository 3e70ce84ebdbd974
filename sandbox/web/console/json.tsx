/** JSON as people read it; text that is none as it is. */
export const Json = ({ value }: { value: unknown }) => (
	<pre>
		<code>{typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)}</code>
	</pre>
);

function pretty(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
