import { testAgents } from './agents';
import { testChat } from './chat';
import { testForm } from './form';
import { testGoogleSheet } from './googleSheet';
import { testHolds } from './holds';
import { testHubspot } from './hubspot';
import { testInvoice } from './invoice';
import { testManyRows } from './manyRows';
import { testMonth } from './month';
import { testMonthlyBatch } from './monthlyBatch';
import { testOnboarding } from './onboard';
import { testStripe } from './stripe';
import { testUnconfirmedPayouts } from './unconfirmed';

// In one file, since one n8n serves them all.
describe('agents', testAgents);

describe('questions in chat', testChat);

describe('forms', testForm);

describe('holds', testHolds);

describe('invoices and deposits', testInvoice);

describe('unconfirmed payouts', testUnconfirmedPayouts);

describe('a month', testMonth);

describe('a monthly batch', testMonthlyBatch);

describe('many rows', testManyRows);

describe('onboarding', testOnboarding);

describe('a Google Sheet', testGoogleSheet);

describe('HubSpot', testHubspot);

describe('Stripe', testStripe);
