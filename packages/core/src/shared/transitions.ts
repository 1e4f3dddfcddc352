/** One row of a state table: which status follows which, and by what. `null` is "does not exist". */
export interface Transition<Status extends string> {
  readonly from: Status | null
  readonly trigger: string
  readonly to: Status | null
  /** Where the row comes from: a section of the specification, or of docs/http-api.md, which fills its holes. */
  readonly source: string
}

/** Where a trigger leads from a status, or undefined when the table has no such row. */
export function next<Status extends string>(
  table: readonly Transition<Status>[],
  from: Status | null,
  trigger: string,
): Status | null | undefined {
  return table.find((row) => row.from === from && row.trigger === trigger)?.to
}
