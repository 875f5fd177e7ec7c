import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const told = new Set(['title', 'help', 'question', 'source', 'unit', 'what', 'remedy']);
/** These put the name of what is counted into such texts (src/scoring/pooled.ts). */
const tellers = new Set(['pooledMetrics', 'pooledF1', 'matchCounts']);
/** Lists of such texts by what they tell of, and what makes them of a name. */
const makers = new Set(['helpOf', 'titleOf']);

/** Texts for people are no behaviour that a test of numbers could miss: the generated pages show them (npm run generate:check). */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'texts', {
    shouldIgnore(path) {
      const { node, parent } = path;
      const isTold = path.isObjectProperty() && told.has(node.key.name);
      const isHanded = path.isStringLiteral() && parent.type === 'CallExpression' && tellers.has(parent.callee.name);
      const isMade = (path.isVariableDeclarator() || path.isFunctionDeclaration()) && makers.has(node.id?.name);
      if (isTold || isHanded || isMade) return 'a text for people';
    },
  }),
];
