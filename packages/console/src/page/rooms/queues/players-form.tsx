import { Card, Check } from '../../ui'

/** Form for the settings of a queue that concern its players. */
export function PlayersForm({
  concurrentMatches,
  onChange,
}: {
  readonly concurrentMatches: boolean
  readonly onChange: (concurrentMatches: boolean) => void
}) {
  return (
    <Card title="Players">
      <div class="stack tight">
        <Check checked={concurrentMatches} onChange={onChange}>
          Concurrent matches: a player of a match of this queue may be in other matches at the same time
        </Check>
        <p class="quiet small">
          Without it, a player in a match cannot start another search, and other searches of the player end when one
          finds a match.
        </p>
      </div>
    </Card>
  )
}
