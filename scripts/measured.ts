/** `npm run measured`: makes the tables of docs/contributing/measured.md from the results beside it. */
import { updatePage } from '../tools/bench/results/page';

updatePage();
