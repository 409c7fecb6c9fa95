/** One figure of both servers, sample by sample, and the aim for their ratio. */
export type Row = {
  readonly figure: string;
  readonly unit: string;
  readonly mock: readonly number[];
  readonly baseline: readonly number[];
  /** How the ratio is computed: for pairs that ran one after the other. */
  readonly ratio: 'mock/hand-written' | 'hand-written/mock';
  readonly aim?: string | undefined;
};

/** One figure of the mock alone. */
export type Figure = { readonly figure: string; readonly value: string; readonly aim?: string };

export const printFigures = (figures: readonly Figure[]): string =>
  aligned([['', 'mock', 'aim'], ...figures.map(({ figure, value, aim = '' }) => [figure, value, aim])]);

export const printTable = (rows: readonly Row[]): string =>
  aligned([['', 'mock', 'hand-written', 'ratio', 'min … max', 'aim'], ...rows.map(cellsOf)]);

const aligned = (cells: readonly (readonly string[])[]): string => {
  const widthOf = (column: number): number => Math.max(...cells.map((row) => row[column]?.length ?? 0));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column))))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
};

const cellsOf = ({ figure, unit, mock, baseline, ratio, aim = '' }: Row): string[] => {
  const ratios = mock.map((own, at) => {
    const other = baseline[at] ?? Number.NaN;
    return ratio === 'mock/hand-written' ? own / other : other / own;
  });
  return [
    figure,
    `${rounded(median(mock))} ${unit}`,
    `${rounded(median(baseline))} ${unit}`,
    median(ratios).toFixed(2),
    `${Math.min(...ratios).toFixed(2)} … ${Math.max(...ratios).toFixed(2)}`,
    aim,
  ];
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
};

const rounded = (value: number): string =>
  value >= 1000 ? Math.round(value).toString() : value.toPrecision(3);
