import { setQuery } from '../../data/route'
import { Button, FindPlayer, Select, Tabs } from '../../ui'
import { type BoardQuery, optionsOf } from './board-query'
import type { WholeRating } from './read'

/** Controls of a leaderboard: the search for a player, the list of players, the season. They are kept in the address. */
export function BoardTools({
  asked,
  seasons,
}: {
  readonly asked: BoardQuery
  readonly seasons: WholeRating['seasons']
}) {
  return (
    <div class="rating-tools">
      <FindPlayer key={asked.player} now={asked.player} onFind={(id) => setQuery('player', id)} />
      {asked.player !== '' && (
        <Button kind="quiet" onClick={() => setQuery('player', '')}>
          Whole leaderboard
        </Button>
      )}
      {asked.player === '' && (
        <Tabs
          label="Players"
          tabs={[
            { id: 'ranked', label: 'Ranked' },
            { id: 'placement', label: 'In placement' },
          ]}
          now={asked.placement ? 'placement' : 'ranked'}
          onChange={(list) => setQuery('list', list === 'ranked' ? '' : list)}
        />
      )}
      {seasons.length > 0 && (
        <Select
          label="Season"
          value={asked.season === undefined ? '' : `${asked.season}`}
          options={optionsOf(seasons)}
          onChange={(season) => setQuery('season', season)}
        />
      )}
    </div>
  )
}
