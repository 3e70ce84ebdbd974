import { testForm } from './form.suite';
import { testGoogleSheet } from './googleSheet.suite';
import { testManyRows } from './many.suite';
import { testMonthlyBatch } from './monthlyBatch.suite';

// A form, a file, or a sheet says who is paid.
describe('forms', testForm);

describe('a monthly batch', testMonthlyBatch);

describe('a Google Sheet', testGoogleSheet);

describe('10,000 rows', testManyRows);
