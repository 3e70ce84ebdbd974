import { Page } from '../ui/page';

/** What such an answer means, for the heading. */
const titles: Partial<Record<number, string>> = {
	403: 'This was refused',
	404: 'This page does not exist',
	409: 'This is not possible now',
	500: 'Something went wrong',
};

/** Says what went wrong and how to go on. */
export const ErrorPage = ({ status, message }: { status: number; message: string }) => (
	<Page title={titles[status] ?? 'This did not work'}>
		<p class="error">{message}</p>
		<p>
			Go back to where you came from, or to the <a href="/_sandbox/console">buyer console</a>.
		</p>
	</Page>
);
