import { launchPackedBrowser } from '../../tools/browser';
import { useResource } from '../n8n/support/resource';

const browser = useResource(launchPackedBrowser, async (launched) => {
	await launched.close();
});

test('the Chromium that comes with the packages shows a page with a font', async () => {
	const page = await browser().newPage();

	await page.setContent('<span id="narrow">iiii</span> <span id="wide">WWWW</span>');

	const narrow = await page.locator('#narrow').boundingBox();
	const wide = await page.locator('#wide').boundingBox();
	expect(narrow?.width).toBeGreaterThan(0);
	expect(wide?.width).toBeGreaterThan(narrow?.width ?? Infinity);
});
