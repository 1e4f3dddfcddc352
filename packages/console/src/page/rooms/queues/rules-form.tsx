import { Button, Card, Check, Field, Input, Select, Text } from '../../ui'
import { HELP, HELP_ON_RULES } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { type DraftFaults, type Expansion, type Matchmaking, numberOf, type Rule } from './draft'
import { PartiesForm } from './match-forms'
import { FIRST_ROLES, RoleTeams } from './role-teams'
import {
  type Bound,
  boundOf,
  boundOfType,
  fieldOf,
  givenField,
  hasField,
  labelOf,
  looser,
  newRule,
  ofType,
  RULE_TYPES,
  type Scope,
  scopesOf,
  sentenceOf,
} from './rules'

interface FormProps {
  readonly draft: Matchmaking
  /** Faults of the last comparison or of the last attempt to apply. */
  readonly faults: DraftFaults
  readonly onChange: (draft: Matchmaking) => void
}

/** Form for the size and the rules of a match. */
export function RulesForm({ draft, faults, onChange }: FormProps) {
  const rules = draft.rules ?? []
  const setRule = (place: number, rule: Rule | undefined) =>
    onChange({ ...draft, rules: rules.flatMap((one, at) => (at === place ? (rule ?? []) : one)) })
  return (
    <div class="stack">
      <Shape draft={draft} faults={faults} onChange={onChange} />
      {rules.map((rule, place) => (
        // The index is the key, because rules have no names.
        <RuleCard key={place} place={place} rule={rule} faults={faults} onChange={(next) => setRule(place, next)} />
      ))}
      <div class="line">
        <Button icon="plus" onClick={() => onChange({ ...draft, rules: [...rules, newRule('difference')] })}>
          Add a rule
        </Button>
      </div>
      <PartiesForm draft={draft} faults={faults} onChange={onChange} />
    </div>
  )
}

const SHAPE = [
  ['teams', 'Teams', '2', 1],
  ['players_per_team', 'Players per team', '1', 1],
  ['min_teams', 'Min teams', 'all teams', 1],
  ['min_players_per_team', 'Min players per team', 'full teams only', 1],
  ['max_size_difference', 'Max team size difference', 'no limit', 0],
  ['partial_after', 'Partial fill after (s)', '5', 1],
] as const

function Shape({ draft, faults, onChange }: FormProps) {
  const { team_composition: composition, ...others } = draft
  if (composition !== undefined) {
    const fault = [...faults].find(([place]) => place.startsWith('team_composition'))
    return (
      <RoleTeams
        of={composition}
        fault={fault?.join(': ')}
        onChange={(next) => onChange({ ...draft, team_composition: next })}
        onLeave={() => onChange(others)}
      />
    )
  }
  const { teams, players_per_team, min_players_per_team, min_teams, max_size_difference, ...rest } = draft
  return (
    <Card
      title="Match size"
      help={<HelpLink on={HELP.matchSize} />}
      actions={
        <Button small kind="quiet" onClick={() => onChange({ ...rest, team_composition: FIRST_ROLES })}>
          Use roles
        </Button>
      }
    >
      <div class="queue-shape">
        {SHAPE.map(([name, label, placeholder, min]) => (
          <Field key={name} label={label} error={faults.get(name)}>
            {(named) => (
              <Input
                {...named}
                type="number"
                min={min}
                placeholder={placeholder}
                value={draft[name] ?? ''}
                onInput={(text) => onChange({ ...draft, [name]: numberOf(text) })}
              />
            )}
          </Field>
        ))}
      </div>
    </Card>
  )
}

function RuleCard({
  place,
  rule,
  faults,
  onChange,
}: {
  readonly place: number
  readonly rule: Rule
  readonly faults: DraftFaults
  readonly onChange: (rule: Rule | undefined) => void
}) {
  const bound = boundOfType(rule.type)
  const fault = (name: string) => faults.get(`rules.${place}.${name}`)
  const others = [...faults].filter(
    ([at]) =>
      at === `rules.${place}` ||
      (at.startsWith(`rules.${place}.`) && !at.match(/\.(type|field|value|scope|seconds|m\w+)$/)),
  )
  return (
    <Card
      title={`Rule\u00a0${place + 1}`}
      help={<HelpLink on={HELP_ON_RULES[rule.type]} />}
      note={<Text lines={2}>{sentenceOf(rule, bound)}</Text>}
      actions={
        <Button
          kind="quiet"
          small
          icon="cross"
          label={`Remove rule ${place + 1}`}
          onClick={() => onChange(undefined)}
        />
      }
    >
      <div class="short-fields queue-fields">
        <Field label="Rule" error={fault('type')}>
          {(named) => (
            <Select
              {...named}
              value={rule.type}
              options={RULE_TYPES.map((type) => [type, labelOf(type)] as const)}
              onChange={(type) => onChange(ofType(rule, type))}
            />
          )}
        </Field>
        {hasField(rule.type) && (
          <Field label="Player state field" error={fault('field')}>
            {(named) => (
              <Input
                {...named}
                value={givenField(rule) ?? ''}
                placeholder={fieldOf({ ...rule, field: undefined } as Rule)}
                onInput={(field) => onChange({ ...rule, field } as Rule)}
              />
            )}
          </Field>
        )}
        {scopesOf(rule.type).length > 0 && (
          <Field label="Keeps apart" error={fault('scope')}>
            {(named) => (
              <Select
                {...named}
                value={('scope' in rule ? rule.scope : undefined) ?? (scopesOf(rule.type)[0]?.[0] as Scope)}
                options={scopesOf(rule.type)}
                onChange={(scope) => onChange({ ...rule, scope } as Rule)}
              />
            )}
          </Field>
        )}
        {bound !== null && (
          <Field label={bound.label} error={fault(bound.name)}>
            {(named) => (
              <Input
                {...named}
                type="number"
                step="any"
                min={bound.least}
                max={bound.most}
                value={boundOf(rule, bound) ?? ''}
                onInput={(text) => onChange({ ...rule, [bound.name]: numberOf(text) } as Rule)}
              />
            )}
          </Field>
        )}
      </div>
      {hasField(rule.type) && (
        <Check
          checked={'required' in rule && rule.required === true}
          onChange={(required) => onChange({ ...rule, required } as Rule)}
        >
          Players without this field cannot enter the queue
        </Check>
      )}
      <Expansions rule={rule} bound={bound} onChange={onChange} />
      {[...others, ...[...faults].filter(([at]) => at.startsWith(`rules.${place}.expansions.`))]
        .filter((one, at, all) => all.indexOf(one) === at)
        .map(([at, message]) => (
          <p key={at} class="hint wrong">
            {`${at.slice(`rules.${place}.`.length)}: ${message}`}
          </p>
        ))}
    </Card>
  )
}

/** Form for the expansions of a rule: the steps by which it loosens with waiting time. */
function Expansions({
  rule,
  bound,
  onChange,
}: {
  readonly rule: Rule
  readonly bound: Bound | null
  readonly onChange: (rule: Rule) => void
}) {
  const steps = rule.expansions ?? []
  const set = (next: readonly Expansion[]) =>
    onChange({ ...rule, expansions: next.length === 0 ? undefined : next } as Rule)
  const change = (place: number, step: Partial<Record<string, number | boolean | undefined>>) =>
    set(steps.map((one, at) => (at === place ? ({ ...one, ...step } as Expansion) : one)))
  return (
    <div class="queue-steps">
      {steps.map((step, place) => {
        const relaxes = step.off === true || bound === null || bound.loosens === 'never' ? undefined : bound
        return (
          <div key={place} class="line">
            <span class="quiet small">{relaxes === undefined ? 'drop after' : 'relax after'}</span>
            <Input
              type="number"
              aria-label={`Step ${place + 1}, seconds`}
              value={step.after_seconds}
              onInput={(text) => change(place, { after_seconds: numberOf(text) })}
            />
            <span class="quiet small">{relaxes === undefined ? 's' : 's to'}</span>
            {relaxes !== undefined && (
              <Input
                type="number"
                step="any"
                min={relaxes.least}
                max={relaxes.most}
                aria-label={`Step ${place + 1}, ${relaxes.label}`}
                value={boundOf(step, relaxes) ?? ''}
                onInput={(text) => change(place, { [relaxes.name]: numberOf(text) })}
              />
            )}
            <Button
              kind="quiet"
              small
              icon="cross"
              label={`Remove step ${place + 1}`}
              onClick={() => set(steps.filter((_, at) => at !== place))}
            />
          </div>
        )
      })}
      <div class="line">
        {bound !== null && bound.loosens !== 'never' && (
          <Button
            small
            kind="quiet"
            icon="plus"
            onClick={() =>
              set([...steps, { after_seconds: nextAfter(steps), [bound.name]: looser(rule, bound) } as Expansion])
            }
          >
            Relax the rule after…
          </Button>
        )}
        <Button
          small
          kind="quiet"
          icon="plus"
          onClick={() => set([...steps, { after_seconds: nextAfter(steps), off: true }])}
        >
          Drop the rule after…
        </Button>
        <HelpLink on={HELP.relaxation} />
      </div>
    </div>
  )
}

const nextAfter = (steps: readonly Expansion[]): number => (steps.at(-1)?.after_seconds ?? 0) + 10
