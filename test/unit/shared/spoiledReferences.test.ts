import { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import { readReference } from '../../../nodes/PartnerPayments/shared/referenceReader';
import { thrownBy } from '../support';

const LABEL = 'Unique Reference';

const refusalOf = (value: unknown): unknown => thrownBy(() => readReference(value, LABEL));

describe('what names no single invoice', () => {
	test.each<[spoiled: string, texts: string[]]>([
		['NaN', ['NaN', 'INV-NaN', 'INV NaN-5', 'INVNaN']],
		['nan', ['INV-nan', 'nan']],
		['undefined', ['undefined', 'INV-undefined', 'INVundefined', 'undefined-7', 'x undefined y']],
		['UNDEFINED', ['INV-UNDEFINED']],
		['null', ['null', 'INV-null', 'INVnull', 'null-7']],
		['NULL', ['NULL', 'INV-NULL']],
		['N/A', ['N/A']],
		['none', ['none']],
		['[object Object]', ['[object Object]', 'INV-[object Object]']],
		['Invalid Date', ['Invalid Date', 'May Invalid Date']],
		['Invalid DateTime', ['Invalid DateTime']],
		['\ufffd', ['INV\ufffd7', '\ufffd']],
		['#N/A', ['#N/A', 'INV-#N/A', 'INV #N/A 7']],
		['#n/a', ['inv #n/a']],
		['#REF!', ['#REF!', 'INV-#REF!']],
		['#VALUE!', ['#VALUE!']],
		['#DIV/0!', ['INV #DIV/0!']],
		['#NAME?', ['#NAME?']],
		['#NUM!', ['#NUM!']],
		['#WERT!', ['#WERT!']],
		['#NV', ['INV #NV']],
		['#¡VALOR!', ['INV-#¡VALOR!']],
		['#¿NOMBRE?', ['#¿NOMBRE?']],
		['#¡DIV/0!', ['#¡DIV/0!']],
		['#I/T', ['#I/T', 'INV-#I/T']],
		['#Н/Д', ['#Н/Д']],
		['########', ['########']],
		['Loading...', ['Loading...']],
		['Infinity', ['Infinity']],
		['{{', ['{{ $json.nr }}', 'INV-{{nr}}']],
		['}}', ['7 }}']],
		['\ufffd', ['\ufffd-1']],
		['2.02605E+11', ['2.02605E+11', 'INV 2.02605E+11', 'INV2.02605E+11']],
		['2,02605E+11', ['2,02605E+11']],
		['2.02605e+21', ['INV-2.02605e+21']],
		['2.02605E11', ['2.02605E11']],
		['2E+11', ['INV-2E+11']],
		['1.5E-7', ['1.5E-7']],
	])('%p is refused, also after a prefix: %j', (spoiled, texts) => {
		for (const text of texts) {
			const error = refusalOf(text);

			expect(error).toBeInstanceOf(InputError);
			expect(error).toMatchObject({ message: expect.stringContaining(`holds "${spoiled}"`) });
		}
	});

	test.each([
		// Words and names that begin or end alike.
		'NANCY-1',
		'Nanette 7',
		'nullify',
		'annulled',
		'BANANA-7',
		'Defined-7',
		// In the middle, and not as programs write them, they are codes: an island, an airport.
		'INV-NULL-ISLAND',
		'NAN-1042',
		'Null-7',
		// Numbers of buildings and series; a spreadsheet writes a plus sign or decimals.
		'1E5',
		'1E5-A',
		'INV-1E-07',
		'E+11',
		'2E-11',
		'A1-E5',
		'1.2.3',
		'v2.5',
		// A text of digits is exact, however long it is.
		'9007199254740993',
		'INV-20260501123456789012',
		'#7',
		'Order #1042',
		'PO#A-7',
		'#NV-7',
		'N/A-7',
		'INV 7 #VIP',
		'Invalid-7',
		'Date 7',
		'73928E03',
		'12E5',
		'#AB/C-7',
		'#1',
		'Loading dock 7',
		'Infinity Films 7',
	])('%p may stand on an invoice', (text) => {
		expect(readReference(text, LABEL)).toBe(text);
	});
});
