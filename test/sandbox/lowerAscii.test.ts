import { lowerAscii } from '../../sandbox/shared/lowerAscii';

test.each([
	['Mark@X.Example', 'mark@x.example'],
	['mar\u212A@x.example', 'mar\u212A@x.example'],
	['ÉVA@x.example', 'Éva@x.example'],
])('of "%s" only plain letters become small', (address, folded) => {
	expect(lowerAscii(address)).toBe(folded);
});
