import { testOrders } from './orders/scenarioTests';
import { STATEMENTS } from './orders/scenarios';

testOrders(STATEMENTS);
