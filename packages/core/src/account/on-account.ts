/** Input of a call about one account. */
export interface OnAccount {
  /** Id of the account: `acc_` and a ULID. */
  readonly accountId: string
}
