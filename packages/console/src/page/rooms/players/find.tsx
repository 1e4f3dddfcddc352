import './players.css'
import { go } from '../../data/route'
import { Empty, FindPlayer, Page } from '../../ui'
import { Bans } from './bans'
import { InLobbies } from './in-lobbies'

/** Page with a search for a player by id, and the project's bans. */
export function Find({ query }: { readonly query: URLSearchParams }) {
  return (
    <Page title="Players" tools={<FindForm />}>
      <Empty icon="player" title="Find a player">
        Search by the player id of your game. The page shows the player's live match, searches, lobbies and recent
        matches, and why each search or match ended.
      </Empty>
      <InLobbies query={query} />
      <Bans />
    </Page>
  )
}

/** Form that opens the page of a player. */
export const FindForm = ({ now = '' }: { readonly now?: string }) => (
  <FindPlayer now={now} kind="primary" onFind={(id) => id !== '' && go('players', id)} />
)
