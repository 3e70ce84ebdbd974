import { testOrders } from './orders/scenarioTests';
import { GROUPS } from './orders/scenarios';

testOrders(GROUPS);
