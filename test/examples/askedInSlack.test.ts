import { testAgents } from './agents.suite';
import { testChat } from './chat.suite';
import { testHolds } from './holds.suite';
import { testUnconfirmedPayouts } from './unconfirmed.suite';

// A person is asked in Slack before money moves.
describe('agents', testAgents);

describe('questions in chat', testChat);

describe('holds', testHolds);

describe('unconfirmed payouts', testUnconfirmedPayouts);
