import { testOrders } from './orders/scenarios.suite';
import { GROUPS } from './orders/scenarios';

testOrders(GROUPS);
