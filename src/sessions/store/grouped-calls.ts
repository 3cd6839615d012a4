/** How calls are grouped, in SQL over the columns that `calls` selects. */
export interface GroupedCalls {
  readonly calls: string;
  /** Columns to group by; never NULL. */
  readonly by: string;
  readonly figures: string;
  /** Which calls can be shown for their group; a group without any is left out. */
  readonly shown: string;
  /** The order that decides which call is shown. */
  readonly order: string;
}

/** Groups of calls with their figures, each with the columns of the call shown for it. */
export const groupedCalls = ({ calls, by, figures, shown, order }: GroupedCalls) =>
  `WITH calls AS (${calls}),
     figures AS (SELECT ${by}, ${figures} FROM calls GROUP BY ${by}),
     ranked AS (SELECT calls.*, ROW_NUMBER() OVER (PARTITION BY ${by} ORDER BY ${order}) AS place FROM calls WHERE ${shown})
   SELECT * FROM figures JOIN ranked USING (${by}) WHERE place = 1`;
