import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useStored } from '../data/stored.ts';
import { Icon, type IconName } from './icon.tsx';

type ButtonProps = JSX.IntrinsicElements['button'] & {
  readonly icon?: IconName | undefined;
  /** The text of the button. Without it, only the icon shows, and the title names the button. */
  readonly text?: string | undefined;
  readonly kind?: 'small' | 'primary' | 'danger' | 'danger small' | 'danger-solid' | '';
};

export const Button = ({ icon, text, title, kind = '', ...rest }: ButtonProps) => (
  <button
    type="button"
    class={`${text === undefined ? 'icon-button' : 'button'} ${kind}`}
    title={title}
    aria-label={text === undefined ? title : undefined}
    {...rest}
  >
    {icon && <Icon name={icon} />}
    {text !== undefined && <span>{text}</span>}
  </button>
);

export type Options = readonly (readonly [value: string, title: string])[];

/** The options with these names, after one for none. */
export const optionsOf = (none: string, names: readonly string[]): Options => [
  ['', none],
  ...names.map((name) => [name, name] as const),
];

type ChoiceProps = Pick<JSX.IntrinsicElements['select'], 'onFocus' | 'onBlur'> & {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: Options;
  readonly choose: (value: string) => void;
};

export const Choice = ({ label, value = '', options, choose, ...rest }: ChoiceProps) => (
  <select
    aria-label={label}
    value={value}
    {...rest}
    onChange={({ currentTarget }) => {
      const chosen = currentTarget.value;
      // A choice shows when it is in force.
      currentTarget.value = value;
      choose(chosen);
    }}
  >
    {options.map(([option, title]) => (
      <option key={option} value={option}>
        {title}
      </option>
    ))}
  </select>
);

type TabsProps<T extends string> = {
  /** Of the choice, which is kept in this browser. */
  readonly name: string;
  readonly label: string;
  readonly tabs: Readonly<Record<T, readonly [title: string, content: () => ComponentChildren]>>;
};

/** Tabs according to the ARIA practices: one tab stop; arrows, Home and End move inside. */
export const Tabs = <T extends string>({ name, label, tabs }: TabsProps<T>) => {
  const list = useRef<HTMLDivElement>(null);
  const names = Object.keys(tabs) as T[];
  const [chosen, choose] = useStored(name, names);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = names.indexOf(chosen);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(names.at(step % names.length) ?? chosen);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {names.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-controls="tab-panel"
            aria-selected={tab === chosen}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => choose(tab)}
          >
            {tabs[tab][0]}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        {tabs[chosen][1]()}
      </div>
    </>
  );
};
