/** One figure of both servers, and the aim for their ratio. */
export type Row = {
  readonly figure: string;
  readonly unit: string;
  readonly mock: readonly (number | undefined)[];
  readonly baseline: readonly (number | undefined)[];
  /** How the ratio is computed, sample by sample: for pairs that ran one after the other. */
  readonly ratio: 'mock/hand-written' | 'hand-written/mock';
  readonly aim?: string;
};

/** One figure of the mock alone. */
export type Figure = { readonly figure: string; readonly value: string; readonly aim?: string };

export const printFigures = (figures: readonly Figure[]): string =>
  aligned([['', 'mock', 'aim'], ...figures.map(({ figure, value, aim = '' }) => [figure, value, aim])]);

export const printTable = (rows: readonly Row[]): string => {
  return aligned([['', 'mock', 'hand-written', 'ratio', 'min … max', 'aim'], ...rows.map(cellsOf)]);
};

const aligned = (cells: readonly (readonly string[])[]): string => {
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells
    .map((row) =>
      row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      ),
    )
    .map((row) => row.join('   ').trimEnd())
    .join('\n');
};

const cellsOf = ({ figure, unit, mock, baseline, ratio, aim = '' }: Row): string[] => {
  const ratios = mock.flatMap((own, index) => {
    const baselineFigure = baseline[index];
    if (!own || !baselineFigure) return [];
    return [ratio === 'mock/hand-written' ? own / baselineFigure : baselineFigure / own];
  });
  if (ratios.length === 0) return [figure, 'not available', 'not available', '', '', aim];
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return [
    figure,
    `${rounded(median(mock))} ${unit}`,
    `${rounded(median(baseline))} ${unit}`,
    median(ratios).toFixed(2),
    `${least.toFixed(2)} … ${most.toFixed(2)}`,
    aim,
  ];
};

export const median = (values: readonly (number | undefined)[]): number => {
  const sorted = values.filter((value) => value !== undefined).sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
};

const rounded = (value: number): string =>
  value >= 1000 ? Math.round(value).toString() : value.toPrecision(3);
