import { testOrders } from './orders/scenarios.suite';
import { PAIRS } from './orders/scenarios';

testOrders(PAIRS);
