import { testHubspot } from './hubspot.suite';
import { testOnboarding } from './onboard.suite';
import { testQuickBooks } from './quickbooks.suite';
import { testQuickBooksBooking } from './quickbooksBooking.suite';
import { testStripe } from './stripe.suite';

// A record says who is paid: of a vendor, a deal, a bill, or a charge.
describe('onboarding', testOnboarding);

describe('HubSpot', testHubspot);

describe('QuickBooks', testQuickBooks);

describe('bookings in QuickBooks', testQuickBooksBooking);

describe('Stripe', testStripe);
