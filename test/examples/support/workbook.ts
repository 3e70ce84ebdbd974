import { crc32 } from 'node:zlib';

/** A file in a ZIP archive, without compression: its header, and its entry in the directory. */
function entryOf(name: string, text: string, offset: number): { local: Buffer; central: Buffer } {
	const data = Buffer.from(text);
	const common = Buffer.alloc(26);
	common.writeUInt16LE(20, 0);
	common.writeUInt32LE(crc32(data), 10);
	common.writeUInt32LE(data.length, 14);
	common.writeUInt32LE(data.length, 18);
	common.writeUInt16LE(name.length, 22);
	const place = Buffer.alloc(14);
	place.writeUInt32LE(offset, 10);
	const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
	const version = Buffer.from([20, 0]);
	const central = Buffer.concat([
		Buffer.from('PK\x01\x02'),
		version,
		common,
		place,
		Buffer.from(name),
	]);

	return { local, central };
}

function zipOf(files: Record<string, string>): Buffer {
	const locals: Buffer[] = [];
	const centrals: Buffer[] = [];
	let offset = 0;
	for (const [name, text] of Object.entries(files)) {
		const { local, central } = entryOf(name, text, offset);
		locals.push(local);
		centrals.push(central);
		offset += local.length;
	}

	const directory = Buffer.concat(centrals);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt16LE(centrals.length, 8);
	end.writeUInt16LE(centrals.length, 10);
	end.writeUInt32LE(directory.length, 12);
	end.writeUInt32LE(offset, 16);

	return Buffer.concat([...locals, directory, end]);
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relationship = (kind: string, target: string): string =>
	`<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/${kind}" Target="${target}"/></Relationships>`;

/** A cell of a kind that spreadsheets know: a text, a number, a date, true or false, an error, or a formula's text. */
export type Cell = { type: 'inlineStr' | 'n' | 'd' | 'b' | 'e' | 'str'; value: string };

/** A workbook in the format of Excel, with these cells by their places, such as B2, and the range that it claims. */
export function xlsxOf(range: string, cells: Record<string, Cell>): Buffer {
	const rows = Map.groupBy(Object.entries(cells), ([place]) => place.replace(/\D/g, ''));
	const data = [...rows].map(([row, some]) => {
		const written = some.map(([place, { type, value }]) =>
			type === 'inlineStr'
				? `<c r="${place}" t="${type}"><is><t>${value}</t></is></c>`
				: `<c r="${place}" t="${type}"><v>${value}</v></c>`,
		);

		return `<row r="${row}">${written.join('')}</row>`;
	});
	const override = (part: string, kind: string): string =>
		`<Override PartName="${part}" ContentType="${TYPE}.${kind}+xml"/>`;

	return zipOf({
		'[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('/xl/workbook.xml', 'sheet.main')}${override('/xl/worksheets/sheet1.xml', 'worksheet')}</Types>`,
		'_rels/.rels': relationship('officeDocument', 'xl/workbook.xml'),
		'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets><sheet name="Sheet" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		'xl/_rels/workbook.xml.rels': relationship('worksheet', 'worksheets/sheet1.xml'),
		'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><dimension ref="${range}"/><sheetData>${data.join('')}</sheetData></worksheet>`,
	});
}
