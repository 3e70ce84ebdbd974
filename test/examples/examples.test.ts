import { testAgents } from './agents.suite';
import { testChat } from './chat.suite';
import { testForm } from './form.suite';
import { testGoogleSheet } from './googleSheet.suite';
import { testHolds } from './holds.suite';
import { testHubspot } from './hubspot.suite';
import { testInvoice } from './invoice.suite';
import { testInvoicesByMail } from './mail.suite';
import { testMailAnswers } from './mailAnswers.suite';
import { testManyRows } from './many.suite';
import { testMonth } from './month.suite';
import { testMonthlyBatch } from './monthlyBatch.suite';
import { testOnboarding } from './onboard.suite';
import { testQuickBooks } from './quickbooks.suite';
import { testQuickBooksBooking } from './quickbooksBooking.suite';
import { testStripe } from './stripe.suite';
import { testUnconfirmedPayouts } from './unconfirmed.suite';
import { testWeeklyRun } from './weekly.suite';

// In one file, since one n8n serves them all.
describe('agents', testAgents);

describe('questions in chat', testChat);

describe('forms', testForm);

describe('holds', testHolds);

describe('invoices and deposits', testInvoice);

describe('unconfirmed payouts', testUnconfirmedPayouts);

describe('a month', testMonth);

describe('a weekly run', testWeeklyRun);

describe('a monthly batch', testMonthlyBatch);

describe('10,000 rows', testManyRows);

describe('onboarding', testOnboarding);

describe('a Google Sheet', testGoogleSheet);

describe('invoices by mail', testInvoicesByMail);

describe('answers about invoices by mail', testMailAnswers);

describe('HubSpot', testHubspot);

describe('QuickBooks', testQuickBooks);

describe('bookings in QuickBooks', testQuickBooksBooking);

describe('Stripe', testStripe);
