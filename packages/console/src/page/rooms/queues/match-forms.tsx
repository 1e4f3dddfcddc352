import { Card, Check, Field, Select } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import type { DraftFaults, Matchmaking } from './draft'
import { NumberField } from './number-field'
import { TextListField } from './text-list-field'

interface FormProps {
  readonly draft: Matchmaking
  readonly faults: DraftFaults
  readonly onChange: (draft: Matchmaking) => void
}

/** Ready check that the form proposes. */
const FIRST_CHECK = { timeout: 20, penalty: 30 } as const

/** Form for the ready check: the players of a proposed match must accept it. */
export function ReadyCheckForm({ draft, faults, onChange }: FormProps) {
  const { ready_check: check, ...others } = draft
  return (
    <Card title="Ready check" help={<HelpLink on={HELP.readyCheck} />}>
      <div class="stack">
        <Check
          checked={check !== undefined}
          onChange={(isOn) => onChange(isOn ? { ...draft, ready_check: FIRST_CHECK } : others)}
        >
          Ask the players of each match whether they are ready
        </Check>
        {check !== undefined && (
          <div class="short-fields">
            <NumberField
              label="Time to answer (s)"
              hint="5 to 120."
              error={faults.get('ready_check.timeout')}
              value={check.timeout}
              unset={FIRST_CHECK.timeout}
              least={5}
              most={120}
              onChange={(timeout) => onChange({ ...draft, ready_check: { ...check, timeout } })}
            />
            <NumberField
              label="Penalty (s)"
              hint="A player who does not accept cannot search for this time. Default: 0."
              error={faults.get('ready_check.penalty')}
              value={check.penalty}
              unset={undefined}
              none="0"
              least={0}
              most={3_600}
              onChange={(penalty) => onChange({ ...draft, ready_check: { ...check, penalty } })}
            />
          </div>
        )}
      </div>
    </Card>
  )
}

/** Form for the open seats of running matches. */
export function BackfillForm({ draft, faults, onChange }: FormProps) {
  const { backfill = {} } = draft
  const change = (next: typeof backfill) => onChange({ ...draft, backfill: { ...backfill, ...next } })
  return (
    <Card title="Open seats of running matches" help={<HelpLink on={HELP.openSeats} />}>
      <div class="stack">
        <Check checked={backfill.automatic === true} onChange={(automatic) => change({ automatic })}>
          Backfill: search for a new player when a player leaves
        </Check>
        <Check
          checked={draft.late_join === true}
          onChange={(late_join) => onChange({ ...draft, late_join: late_join || undefined })}
        >
          Late join: players of the match can keep an open seat for a friend
        </Check>
        <div class="short-fields">
          <Field label="Filled" error={faults.get('backfill.priority')}>
            {(given) => (
              <Select
                {...given}
                value={backfill.priority ?? 'after'}
                options={[
                  ['after', 'After new matches'],
                  ['before', 'Before new matches'],
                ]}
                onChange={(priority) => change({ priority })}
              />
            )}
          </Field>
          <NumberField
            label="A request ends after (s)"
            hint="5 to 3,600. Default: 300."
            error={faults.get('backfill.timeout')}
            value={backfill.timeout}
            unset={undefined}
            none="300"
            least={5}
            most={3_600}
            onChange={(timeout) => change({ timeout })}
          />
        </div>
      </div>
    </Card>
  )
}

/** Form for the parties and the versions of a match, and for the age that relaxes its rules. */
export function PartiesForm({ draft, faults, onChange }: FormProps) {
  const { allowed_versions: _, ...anyVersion } = draft
  return (
    <Card title="Parties and versions" help={<HelpLink on={HELP.parties} />}>
      <div class="stack">
        <div class="short-fields">
          <NumberField
            label="Players in a party"
            hint="At most."
            error={faults.get('max_party_size')}
            value={draft.max_party_size}
            unset={undefined}
            none="one team"
            least={1}
            onChange={(max_party_size) => onChange({ ...draft, max_party_size })}
          />
          <Field label="Rules relax by the wait of" error={faults.get('expansion_age')}>
            {(given) => (
              <Select
                {...given}
                value={draft.expansion_age ?? 'oldest'}
                options={[
                  ['oldest', 'the oldest party'],
                  ['newest', 'the newest party'],
                ]}
                onChange={(age) => onChange({ ...draft, expansion_age: age === 'oldest' ? undefined : age })}
              />
            )}
          </Field>
        </div>
        <Check
          checked={draft.use_version_from_state === true}
          onChange={(isOn) => onChange({ ...(isOn ? draft : anyVersion), use_version_from_state: isOn || undefined })}
        >
          Match only players with the same game_version in their states
        </Check>
        {draft.use_version_from_state === true && (
          <TextListField
            label="Versions that may search"
            hint="Separated by commas."
            none="all versions"
            error={faults.get('allowed_versions')}
            of={draft.allowed_versions ?? []}
            onChange={(texts) => onChange(texts.length === 0 ? anyVersion : { ...draft, allowed_versions: texts })}
          />
        )}
      </div>
    </Card>
  )
}
