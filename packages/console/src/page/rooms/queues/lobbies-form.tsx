import type { Queue } from '@matchyard/client/admin'
import { Card, Check, Field, Input, Select } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import type { DraftFaults, Matchmaking, QueueDraft } from './draft'
import { BackfillForm, ReadyCheckForm } from './match-forms'
import { NumberField } from './number-field'
import { QueueSwitches } from './queue-switches'
import { TextListField } from './text-list-field'

/** Settings that the form changes. */
export interface LobbiesFormProps {
  readonly draft: QueueDraft
  /** Faults that the service found when the draft was last applied. */
  readonly faults: DraftFaults
  readonly onChange: (changes: Partial<QueueDraft>) => void
}

/** Form of the settings for lobbies, searches, presence and matches. */
export function LobbiesForm({ queue, ...form }: LobbiesFormProps & { readonly queue: Queue }) {
  const { draft, faults, onChange } = form
  const rules = {
    draft: draft.matchmaking,
    faults,
    onChange: (matchmaking: Matchmaking) => onChange({ matchmaking }),
  }
  return (
    <div class="halves">
      <div class="stack">
        <Lobbies {...form} />
        <InviteCodes {...form} />
        <SilentPlayers {...form} />
        <TrustedFields {...form} />
      </div>
      <div class="stack">
        <QueueSwitches queue={queue} />
        <Searches {...form} />
        <ReadyCheckForm {...rules} />
        <Matches {...form} />
        <BackfillForm {...rules} />
      </div>
    </div>
  )
}

function Lobbies({ draft, faults, onChange }: LobbiesFormProps) {
  return (
    <Card title="Lobbies" help={<HelpLink on={HELP.lobbies} />}>
      <div class="stack">
        <Field label="Name of the queue" error={faults.get('name')}>
          {(given) => <Input {...given} value={draft.name} maxLength={128} onInput={(name) => onChange({ name })} />}
        </Field>
        <div class="short-fields">
          <NumberField
            label="Players in a lobby"
            hint="At most. Default: 10."
            error={faults.get('max_players')}
            value={draft.max_players}
            unset={10}
            least={1}
            most={100}
            onChange={(max_players) => onChange({ max_players })}
          />
          <NumberField
            label="Idle lobby ends after (s)"
            hint="Default: 3,600."
            error={faults.get('lobby_ttl')}
            value={draft.lobby_ttl}
            unset={3_600}
            least={1}
            onChange={(lobby_ttl) => onChange({ lobby_ttl })}
          />
        </div>
        <Field label="When the host leaves" error={faults.get('host_leave_behavior')}>
          {(given) => (
            <Select
              {...given}
              value={draft.host_leave_behavior}
              options={[
                ['promote', 'The player who joined first becomes host'],
                ['delete', 'The lobby is deleted'],
              ]}
              onChange={(host_leave_behavior) => onChange({ host_leave_behavior })}
            />
          )}
        </Field>
      </div>
    </Card>
  )
}

function InviteCodes({ draft: { invite_code_config: codes }, faults, onChange }: LobbiesFormProps) {
  const change = (next: Partial<typeof codes>) => onChange({ invite_code_config: { ...codes, ...next } })
  const fault = (name: keyof typeof codes) => faults.get(`invite_code_config.${name}`)
  return (
    <Card title="Invite codes" help={<HelpLink on={HELP.inviteCodes} />}>
      <div class="stack">
        <Check checked={codes.enabled} onChange={(enabled) => change({ enabled })}>
          Each lobby has a code by which friends join it
        </Check>
        {codes.enabled && (
          <div class="short-fields">
            <Field label="Characters" error={fault('charset')}>
              {(given) => (
                <Select
                  {...given}
                  value={codes.charset}
                  options={[
                    ['alphanumeric', 'Letters and digits'],
                    ['alphabetic', 'Letters'],
                    ['numeric', 'Digits'],
                  ]}
                  onChange={(charset) => change({ charset })}
                />
              )}
            </Field>
            <NumberField
              label="Length"
              error={fault('length')}
              value={codes.length}
              unset={6}
              least={4}
              most={32}
              onChange={(length) => change({ length })}
            />
            <Field label="Prefix" error={fault('prefix')}>
              {(given) => (
                <Input
                  {...given}
                  value={codes.prefix}
                  placeholder="none"
                  maxLength={16}
                  onInput={(prefix) => change({ prefix })}
                />
              )}
            </Field>
          </div>
        )}
      </div>
    </Card>
  )
}

function SilentPlayers({ draft, faults, onChange }: LobbiesFormProps) {
  return (
    <Card title="Silent players" help={<HelpLink on={HELP.silentPlayers} />}>
      <div class="stack">
        <Check checked={draft.heartbeat} onChange={(heartbeat) => onChange({ heartbeat })}>
          Remove players who are silent
        </Check>
        <div class="short-fields">
          {draft.heartbeat && (
            <>
              <NumberField
                label="Removed after (s)"
                hint="Default: 60."
                error={faults.get('heartbeat_timeout')}
                value={draft.heartbeat_timeout}
                unset={60}
                least={1}
                onChange={(heartbeat_timeout) => onChange({ heartbeat_timeout })}
              />
              <NumberField
                label="In a match after (s)"
                hint="0: players of a match stay."
                error={faults.get('in_game_heartbeat_timeout')}
                value={draft.in_game_heartbeat_timeout}
                unset={null}
                none="the same"
                least={0}
                most={86_400}
                onChange={(in_game_heartbeat_timeout) => onChange({ in_game_heartbeat_timeout })}
              />
            </>
          )}
          <NumberField
            label="Not matched after (s)"
            hint="A searching lobby whose players are silent waits until one returns. 0: never. Default: 30."
            error={faults.get('presence_timeout')}
            value={draft.presence_timeout}
            unset={30}
            least={0}
            onChange={(presence_timeout) => onChange({ presence_timeout })}
          />
        </div>
      </div>
    </Card>
  )
}

function TrustedFields({ draft, faults, onChange }: LobbiesFormProps) {
  return (
    <Card title="Player states" help={<HelpLink on={HELP.trustedFields} />}>
      <TextListField
        label="Fields that clients may not write"
        hint="Separated by commas. Their values come from your backend or from a player token. The fields of a rating are always among them."
        error={faults.get('trusted_fields')}
        of={draft.trusted_fields}
        onChange={(trusted_fields) => onChange({ trusted_fields })}
      />
    </Card>
  )
}

function Searches({ draft, faults, onChange }: LobbiesFormProps) {
  return (
    <Card title="Searches" help={<HelpLink on={HELP.searches} />}>
      <div class="stack">
        <div class="short-fields">
          <NumberField
            label="Search ends after (s)"
            hint="The lobby then waits again. Default: 300."
            error={faults.get('timeout')}
            value={draft.timeout}
            unset={300}
            least={1}
            onChange={(timeout) => onChange({ timeout })}
          />
        </div>
        <Check checked={draft.concurrent_matches} onChange={(concurrent_matches) => onChange({ concurrent_matches })}>
          Concurrent matches: a player of a match of this queue may be in other matches at the same time
        </Check>
      </div>
    </Card>
  )
}

function Matches({ draft, faults, onChange }: LobbiesFormProps) {
  return (
    <Card title="Matches" help={<HelpLink on={HELP.matches} />}>
      <div class="stack">
        <div class="short-fields">
          <NumberField
            label="Penalty for leavers (s)"
            hint="A player who leaves a running match cannot enter for this time. Default: 0, no penalty."
            error={faults.get('leaver_penalty')}
            value={draft.leaver_penalty}
            unset={0}
            least={0}
            most={86_400}
            onChange={(leaver_penalty) => onChange({ leaver_penalty })}
          />
          <NumberField
            label="Ends after (s)"
            hint="Only for matches without a game server of the service. A new queue has 86,400, a day."
            error={faults.get('match_ttl')}
            value={draft.match_ttl}
            unset={null}
            none="never"
            least={1}
            onChange={(match_ttl) => onChange({ match_ttl })}
          />
        </div>
        <Check checked={draft.requeue_on_failure} onChange={(requeue_on_failure) => onChange({ requeue_on_failure })}>
          Requeue on failure: return parties to the queue when their match fails to launch
        </Check>
      </div>
    </Card>
  )
}
