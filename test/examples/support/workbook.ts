const NAMESPACE = 'urn:schemas-microsoft-com:office:spreadsheet';

const cell = (content: string | number): string =>
	`<Cell><Data ss:Type="${typeof content === 'number' ? 'Number' : 'String'}">${content}</Data></Cell>`;

/** A workbook of one sheet, in the XML format of Excel 2003. */
export function workbookOf(rows: Array<Array<string | number>>): Buffer {
	const table = rows.map((row) => `<Row>${row.map(cell).join('')}</Row>`).join('');
	const sheet = `<Worksheet ss:Name="Sheet"><Table>${table}</Table></Worksheet>`;
	return Buffer.from(
		`<?xml version="1.0"?><Workbook xmlns="${NAMESPACE}" xmlns:ss="${NAMESPACE}">${sheet}</Workbook>`,
	);
}
