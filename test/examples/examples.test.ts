import { testAgentThatPays } from './agentPays';
import { testAgentThatPrepares } from './agentPrepares';
import { testChat } from './chat';
import { testDeposit } from './deposit';
import { testFormAndInvoice } from './formAndInvoice';
import { testPayoutsInDoubt } from './inDoubt';
import { testMonthlyBatch } from './monthlyBatch';
import { testOnboarding } from './onboard';

// In one file, since one n8n serves them all.
describe('an agent that pays', testAgentThatPays);
describe('an agent that prepares', testAgentThatPrepares);
describe('questions in chat', testChat);
describe('deposits', testDeposit);
describe('forms and invoices', testFormAndInvoice);
describe('payouts in doubt', testPayoutsInDoubt);
describe('a monthly batch', testMonthlyBatch);
describe('onboarding', testOnboarding);
