import { testOrders } from './orders/scenarios.suite';
import { STATEMENTS } from './orders/scenarios';

testOrders(STATEMENTS);
