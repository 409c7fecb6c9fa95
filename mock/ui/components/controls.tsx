import type { ComponentChildren, JSX } from 'preact';
import { hrefOf, usePlace } from '../data/router.ts';

// Inline, with one stroke width and 24 × 24, so that no icon is loaded.
const paths = {
  mail: 'M3 7l9 6 9-6M3 6h18v12H3z',
  swap: 'M4 8h14l-4-4M20 16H6l4 4',
  people:
    'M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.5a3.5 3.5 0 010 6.2M18.5 14.6c2 .9 3 2.9 3 5.4',
  template: 'M4 4h16v5H4zM4 13h7v7H4zM15 13h5M15 16.5h5M15 20h5',
  question: 'M9 9a3 3 0 113.8 2.9c-.6.3-.8.8-.8 1.6M12 17.2v.1M12 21a9 9 0 100-18 9 9 0 000 18z',
  bolt: 'M13 3L5 14h6l-1 7 8-11h-6z',
  clock: 'M12 7v5l3.2 2M12 21a9 9 0 100-18 9 9 0 000 18z',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14zM20 20l-4-4',
  trash: 'M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  download: 'M12 4v11M7.5 11L12 15.5 16.5 11M4 20h16',
  upload: 'M12 16V5M7.5 9L12 4.5 16.5 9M4 20h16',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5v.1',
  keyboard: 'M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M17 14h.1M7 14h7',
  reset: 'M4 5v5h5M4.6 10a8 8 0 11-.4 4',
  warn: 'M12 4l9 16H3zM12 10v4.5M12 17.3v.1',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon. Text beside it or a label has the same meaning. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

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
  readonly label: string;
  readonly tabs: Readonly<Record<T, readonly [title: string, content: () => ComponentChildren]>>;
};

/**
 * One of several contents, at first the first: one stop of Tab, and the arrow keys move inside. It is in the address, so that it
 * stays from one item to the next.
 */
export const Tabs = <T extends string>({ label, tabs }: TabsProps<T>) => {
  const names = Object.keys(tabs) as T[];
  const { view, id, query } = usePlace();
  const tab = names.find((name) => name === query.tab) ?? (names[0] as T);
  return (
    <>
      <fieldset class="tabs">
        <legend class="visually-hidden">{label}</legend>
        {names.map((name) => (
          <label key={name} class="one-of">
            <input
              type="radio"
              name={label}
              checked={name === tab}
              onChange={() => location.replace(hrefOf(view, id, { ...query, tab: name }))}
            />
            {tabs[name][0]}
          </label>
        ))}
      </fieldset>
      <div class="tab-panel">{tabs[tab][1]()}</div>
    </>
  );
};
