import { testAgentThatPays } from './agentPays';
import { testAgentThatPrepares } from './agentPrepares';
import { testChat } from './chat';
import { testDeposit } from './deposit';
import { testFormAndInvoice } from './formAndInvoice';
import { testMonthlyBatch } from './monthlyBatch';
import { testOnboarding } from './onboard';
import { testUnconfirmedPayouts } from './unconfirmed';

// In one file, since one n8n serves them all.
describe('an agent that pays', testAgentThatPays);
describe('an agent that prepares', testAgentThatPrepares);
describe('questions in chat', testChat);
describe('deposits', testDeposit);
describe('forms and invoices', testFormAndInvoice);
describe('unconfirmed payouts', testUnconfirmedPayouts);
describe('a monthly batch', testMonthlyBatch);
describe('onboarding', testOnboarding);
