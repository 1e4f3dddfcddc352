import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { counted, type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, say, Text } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { exampleOf } from './carried-rating'
import type { WholeRating } from './read'

interface StartSeasonProps {
  readonly of: WholeRating
  readonly onClose: () => void
  readonly onStarted: () => void
}

/** Dialog that starts a season, and says before what a season changes. */
export function StartSeasonDialog({ of: { rating, seasons }, onClose, onStarted }: StartSeasonProps) {
  const { admin } = useProject()
  const name = useSignal('')
  const keep = useSignal('50')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const isWritten = name.value.trim() !== '' && keep.value.trim() !== ''
  const start = async () => {
    wrong.value = NO_FAULTS
    try {
      await admin.ratings.startSeason(rating.rating_id, { name: name.value.trim(), keep: Number(keep.value) / 100 })
      say(`The season ${name.value.trim().slice(0, 64)} has started.`)
      onStarted()
    } catch (error) {
      wrong.value = faultsOf(error, ['name', 'keep'])
    }
  }
  const { of } = wrong.value
  return (
    <FormDialog
      title="Start a season"
      help={<HelpLink on={HELP.seasons} />}
      onClose={onClose}
      confirm="Start the season"
      disabled={!isWritten}
      onConfirm={start}
      faults={wrong.value}
    >
      <Field label="Name" hint="Players see it. It cannot be changed later." error={of.name}>
        {(given) => <Input {...given} value={name.value} maxLength={128} onInput={(value) => (name.value = value)} />}
      </Field>
      <Field
        label="Kept, in percent"
        hint="100: players keep their skills. 0: all players begin anew."
        error={of.keep === undefined ? undefined : 'must be a number from 0 to 100'}
      >
        {(given) => (
          <Input
            {...given}
            type="number"
            min={0}
            max={100}
            step="any"
            value={keep.value}
            onInput={(value) => (keep.value = value)}
          />
        )}
      </Field>
      <Effects of={{ rating, seasons }} keep={Number(keep.value) / 100} />
    </FormDialog>
  )
}

/** Effects of a new season, as sentences. */
function Effects({ of: { rating, seasons }, keep }: { readonly of: WholeRating; readonly keep: number }) {
  const present = seasons.at(-1)
  const example = exampleOf(rating, keep)
  return (
    <div class="notice">
      <ul class="rating-effects">
        <li>
          {present === undefined ? 'The time before the first season' : <Text>{present.name}</Text>} ends now. Its
          leaderboard stays readable.
        </li>
        {example !== undefined && (
          <li class="figures">
            {keep === 1
              ? 'Skills stay as they are.'
              : `Skills move toward the initial skill, and become less certain. Example: ${example.before} becomes ${example.after}.`}
          </li>
        )}
        <li>
          The new leaderboard is empty. A player is listed after{' '}
          {counted(rating.placement_matches, 'counted match', 'counted matches')}.
        </li>
        <li>Results that are recorded from now on count for the new season. A season cannot be undone.</li>
      </ul>
    </div>
  )
}
