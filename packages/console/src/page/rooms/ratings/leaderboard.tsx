import { useSignal } from '@preact/signals'
import { type Loadable, useProject, useRead } from '../../data/hooks'
import { part } from '../../data/wire'
import { Button, Card, counted, Empty, View } from '../../ui'
import { type BoardQuery, boardQueryOf, parametersOf } from './board-query'
import { BoardTable } from './board-table'
import { BoardTools } from './board-tools'
import type { Board, WholeRating } from './read'

const LOOK_MS = 15_000
const PAGE = 25

interface LeaderboardProps {
  readonly of: WholeRating
  readonly query: URLSearchParams
}

/** Position in the pages of a list. */
interface Turned {
  /** List to which the cursors belong. */
  readonly key: string
  /** Cursors of the pages up to the shown one; the first page has none. */
  readonly cursors: readonly string[]
}

/** Leaderboard of a rating, by pages or around one player, of the present or an earlier season. */
export function Leaderboard({ of: { rating, seasons }, query }: LeaderboardProps) {
  const { wire } = useProject()
  const asked = boardQueryOf(query, seasons)
  // A cursor belongs to one list of players: another list, and a new season, begin with the first page.
  const key = JSON.stringify([asked, seasons.length])
  const turned = useSignal<Turned>({ key, cursors: [] })
  const cursors = turned.value.key === key ? turned.value.cursors : []
  const turnTo = (next: readonly string[]) => {
    turned.value = { key, cursors: next }
  }
  const cursor = cursors.at(-1)
  const path = `/v1/ratings/${part(rating.rating_id)}/leaderboard`
  const read = useRead<Board>(
    () => wire.get(path, { limit: PAGE, cursor, ...parametersOf(asked, seasons) }),
    [wire, path, key, cursor],
    { every: LOOK_MS },
  )
  return (
    <>
      <BoardTools asked={asked} seasons={seasons} />
      <div class="rating-board">
        <Card title={titleOf(asked)} {...noteOf(read.now.value)} flush>
          <View of={read.now} as="rows" again={read.again}>
            {(board) =>
              board.data.length === 0 ? (
                <Nobody asked={asked} placementMatches={rating.placement_matches} />
              ) : (
                <BoardTable rating={rating} board={board} asked={asked} />
              )
            }
          </View>
          <Pages
            isFirst={cursors.length === 0}
            next={read.now.value.is === 'ready' && asked.player === '' ? read.now.value.data.next_cursor : undefined}
            onBack={() => turnTo(cursors.slice(0, -1))}
            onNext={(next) => turnTo([...cursors, next])}
          />
        </Card>
      </div>
    </>
  )
}

const titleOf = ({ player, placement }: BoardQuery): string =>
  player === '' ? (placement ? 'Players in placement' : 'Leaderboard') : 'Around the player'

const noteOf = (now: Loadable<Board>) => (now.is === 'ready' ? { note: counted(now.data.total, 'player') } : {})

function Nobody({
  asked: { player, placement },
  placementMatches,
}: {
  readonly asked: BoardQuery
  readonly placementMatches: number
}) {
  if (player !== '') {
    return (
      <Empty icon="ratings" title="Not on this leaderboard">
        The player is in placement, or has no counted match of this season. Ids are case-sensitive.
      </Empty>
    )
  }
  if (placement) {
    return (
      <Empty icon="ratings" title="No player is in placement">
        A player is in placement during the first {counted(placementMatches, 'match', 'matches')} of a season.
      </Empty>
    )
  }
  return (
    <Empty icon="ratings" title="No player yet">
      A player is listed after {counted(placementMatches, 'counted match', 'counted matches')}. A match counts when its
      result is recorded: by the game server, by your backend, or on the page of the match.
    </Empty>
  )
}

function Pages({
  isFirst,
  next,
  onBack,
  onNext,
}: {
  readonly isFirst: boolean
  readonly next: string | null | undefined
  readonly onBack: () => void
  readonly onNext: (cursor: string) => void
}) {
  if (isFirst && typeof next !== 'string') return null
  return (
    <nav class="line rating-pages" aria-label="Pages of the leaderboard">
      <Button small disabled={isFirst} onClick={onBack}>
        Previous page
      </Button>
      <Button small disabled={typeof next !== 'string'} onClick={() => typeof next === 'string' && onNext(next)}>
        Next page
      </Button>
    </nav>
  )
}
