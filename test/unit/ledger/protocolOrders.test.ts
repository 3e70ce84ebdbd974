import { testOrders } from './orders/scenarioTests';
import { PAIRS } from './orders/scenarios';

testOrders(PAIRS);
