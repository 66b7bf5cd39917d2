import { isNode, type Rule, type RuleContext } from '../redocly-types.ts';

/** Words that do not describe the situation, alone or with a number. */
const empty =
  /^(an?)?(example|sample|default|test|demo|foo|bar|case|value|request|response|body|ok|success|error|failure)s?[A-Z]?$/i;

const camelCase = /^[a-z][A-Za-z]*$/;

/** An example is named after its situation, `dialogueTwoSpeakers`, never `example1`: its name is what readers choose it by. */
export const exampleNames: Rule = () => ({
  MediaType: (mediaType, context) => checkNames(mediaType.examples, context),
  Parameter: (parameter, context) => checkNames(parameter.examples, context),
  Header: (header, context) => checkNames(header.examples, context),
});

function checkNames(examples: unknown, context: RuleContext): void {
  if (!isNode(examples)) return;
  for (const name of Object.keys(examples)) {
    if (camelCase.test(name) && !empty.test(name)) continue;
    context.report({
      message: `The example "${name}" is not named after its situation. Say in camelCase what is special about it, such as dialogueTwoSpeakers.`,
      location: context.location.child(['examples', name]).key(),
    });
  }
}
