import { testAgents } from './agents';
import { testChat } from './chat';
import { testDeposit } from './deposit';
import { testFormAndInvoice } from './formAndInvoice';
import { testGoogleSheet } from './googleSheet';
import { testHubspot } from './hubspot';
import { testMonthlyBatch } from './monthlyBatch';
import { testOnboarding } from './onboard';
import { testStripe } from './stripe';
import { testUnconfirmedPayouts } from './unconfirmed';

// In one file, since one n8n serves them all.
describe('agents', testAgents);
describe('questions in chat', testChat);
describe('deposits', testDeposit);
describe('forms and invoices', testFormAndInvoice);
describe('unconfirmed payouts', testUnconfirmedPayouts);
describe('a monthly batch', testMonthlyBatch);
describe('onboarding', testOnboarding);
describe('a Google Sheet', testGoogleSheet);
describe('HubSpot', testHubspot);
describe('Stripe', testStripe);
