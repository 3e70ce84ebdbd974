import { testInvoice } from './invoice.suite';
import { testInvoicesByMail } from './mail.suite';
import { testMailAnswers } from './mailAnswers.suite';
import { testMonth } from './month.suite';
import { testWeeklyRun } from './weekly.suite';

// Mails come in, or go out.
describe('invoices and deposits', testInvoice);

describe('a month', testMonth);

describe('a weekly run', testWeeklyRun);

describe('invoices by mail', testInvoicesByMail);

describe('answers about invoices by mail', testMailAnswers);
