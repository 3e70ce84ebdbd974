import { DEPOSITS } from './orders/depositScenarios';
import { testOrders } from './orders/scenarios.suite';

testOrders(DEPOSITS);
