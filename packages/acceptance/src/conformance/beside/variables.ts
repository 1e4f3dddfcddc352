/** By which variables of the environment `runBeside` tells the tests what it has laid for them. */
const NAMES = {
  tree: 'MATCHYARD_BESIDE_TREE',
  server: 'MATCHYARD_BESIDE_SERVER',
  first: 'MATCHYARD_BESIDE_FIRST',
} as const

/** Who takes the first call of each world. */
export type First = 'this' | 'before'

export interface Laid {
  /** The folder with the tree of the release before. */
  readonly tree: string
  /** The address of a PostgreSQL server of the run's own. */
  readonly server: string
  readonly first: First
}

/** Whether the tests go through both releases. */
export const isBeside = (): boolean => process.env.MATCHYARD_BESIDE !== undefined

export const told = ({ tree, server, first }: Laid): Readonly<Record<string, string>> => ({
  MATCHYARD_BESIDE: '1',
  [NAMES.tree]: tree,
  [NAMES.server]: server,
  [NAMES.first]: first,
})

export function laid(): Laid {
  const [tree, server] = [process.env[NAMES.tree], process.env[NAMES.server]]
  if (tree === undefined || server === undefined)
    throw new Error('the conformance suite goes through both releases by npm run prove -- beside')
  return { tree, server, first: process.env[NAMES.first] === 'before' ? 'before' : 'this' }
}
