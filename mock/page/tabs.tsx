import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

type Props<T extends string> = {
  readonly label: string;
  readonly names: readonly T[];
  readonly titles: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly choose: (name: T) => void;
  readonly children: ComponentChildren;
};

/** Tabs as the ARIA practices describe them: one stop for Tab, arrows, Home and End move inside. */
export const Tabs = <T extends string>({ label, names, titles, chosen, choose, children }: Props<T>) => {
  const list = useRef<HTMLDivElement>(null);
  const pressed = (event: KeyboardEvent): void => {
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
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={pressed}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls="tab-panel"
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {titles[name]}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </>
  );
};
