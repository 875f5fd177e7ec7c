import type { Profile } from './profile.ts';
import { sameValues } from './same-values.ts';
import { parametersOf } from '../tool.ts';
import { findTool } from './tools.ts';

/** The documented behaviour (docs/reference/scoring.md, "schema"). */
export const specProfile: Profile = {
  skipsNothingExpected: true,
  refusesNameless: true,
  namesRefused: true,
  nullIsString: false,
  requiresDeclaredOnly: false,
  refusedTruth: () => undefined,
  refusedTools: () => undefined,
  accepts(expected, name, args, tools, fits) {
    if (!tools.schemas) return sameValues(expected, args);
    const tool = findTool(tools, name);
    if (tool === undefined) return false;
    const parameters = parametersOf(tool);
    return parameters === undefined || fits(parameters);
  },
};
