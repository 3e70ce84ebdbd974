import {
	characters,
	defaultSettings,
	settingGroups,
	settingSchemas,
	type Settings,
} from '../../shared/settings';
import { Fields } from '../../ui/fields';
import { idOf, labelOf } from '../../ui/form';
import { Act, ConsolePage, consolePath, pathOf, type PageRequest } from './frame';

/** Settings as a form has them. */
const valuesOf = (settings: Settings): Record<string, string> =>
	Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, textOf(value)]));

function textOf(value: string | number | boolean): string {
	if (typeof value === 'boolean') {
		return value ? 'yes' : 'no';
	}

	return String(value);
}

const defaults = valuesOf(defaultSettings);

/** What differs from the defaults, with a way to each, and back. */
const Changed = ({ values, back }: { values: Record<string, string>; back: string }) => {
	const changed = Object.keys(values).filter((name) => values[name] !== defaults[name]);
	if (changed.length === 0) {
		return <p class="note">All settings have their defaults.</p>;
	}

	return (
		<div class="actions">
			<p class="changes">
				Changed:{' '}
				{changed.map((name, index) => (
					<span key={name}>
						{index > 0 && ', '}
						<a href={`#${idOf(name)}`}>{labelOf(name)}</a>
					</span>
				))}
			</p>
			<Act route="setSettings" label="Back to the defaults" back={back} input={defaults} />
		</div>
	);
};

/** The one registry of settings, as a form. */
export const SettingsPage = ({ context, url }: PageRequest) => {
	const back = pathOf(url);
	const values = valuesOf(context.network.settings.values);
	return (
		<ConsolePage context={context} part="settings" url={url}>
			<p>
				What the service leaves open, and how fast things go.{' '}
				<a href={consolePath('control')}>All controls</a>
			</p>
			<Changed values={values} back={back} />
			<div class="actions">
				{Object.entries(characters).map(([name, changes]) => (
					<Act
						key={name}
						route="setSettings"
						label={`Be ${name}`}
						back={back}
						second={true}
						input={valuesOf({ ...defaultSettings, ...changes })}
					/>
				))}
			</div>
			<form method="post" action={consolePath('do/setSettings')} class="settings" novalidate>
				<input type="hidden" name="back" value={back} />
				{settingGroups.map(({ title, names }) => (
					<fieldset key={title} class="card">
						<legend>{title}</legend>
						<div class="grid">
							<Fields
								schema={{
									properties: Object.fromEntries(names.map((name) => [name, settingSchemas[name]])),
									required: names,
								}}
								values={values}
								defaults={defaults}
							/>
						</div>
					</fieldset>
				))}
				<p class="save">
					<button>Save settings</button>
				</p>
			</form>
		</ConsolePage>
	);
};
