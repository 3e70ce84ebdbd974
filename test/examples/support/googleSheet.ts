import type { Service } from '../../../tools/services';

type Cell = string | number;

/** A tab of a Google Sheet: its cells, which n8n reads and writes, and what answers for it. */
export interface GoogleSheet {
	cells: Cell[][];
	service: Service;
}

/** A range of one row, such as `Payouts!E2` or `Payouts!1:1`. */
const RANGE = /!([A-Z]?)(\d+)/;

/** A sheet with one tab, whose first row has the names of its columns. */
export function googleSheet(id: string, tab: string, cells: Cell[][]): GoogleSheet {
	const write = ({ range, values }: { range: string; values: Cell[][] }): void => {
		const [, column = '', row = ''] = RANGE.exec(range) ?? [];
		const start = column === '' ? 0 : column.charCodeAt(0) - 'A'.charCodeAt(0);
		const target = (cells[Number(row) - 1] ??= []);
		values[0]?.forEach((value, index) => (target[start + index] = value));
	};

	const service: Service = ({ method, path, body }) => {
		if (!path.startsWith(`/v4/spreadsheets/${id}`)) {
			return undefined;
		}

		if (method === 'PUT') {
			write(body as Parameters<typeof write>[0]);
		} else if (path.endsWith('/values:batchUpdate')) {
			(body as { data: Array<Parameters<typeof write>[0]> }).data.forEach(write);
		} else if (path.includes('/values/')) {
			return { values: cells };
		}

		return { sheets: [{ properties: { sheetId: 0, title: tab } }] };
	};

	return { cells, service };
}
