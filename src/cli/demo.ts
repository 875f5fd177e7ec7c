import { type Command, InvalidArgumentError } from 'commander';
import { type ConfigFlag, type Context, configOption, effectiveConfig } from './context.ts';

interface DemoFlags extends ConfigFlag {
  readonly rate: number;
  readonly seconds?: number;
}

/** `assay demo`. */
export function addDemo(program: Command, context: Context): void {
  program
    .command('demo')
    .description('Everything in one process on generated traffic, without Kafka: look at it in a browser.')
    .option('--rate <number>', 'predictions a second', positive, 60)
    .option('--seconds <number>', 'stop by itself after this time', positive)
    .addOption(configOption())
    .action(async (flags: DemoFlags) => {
      const config = effectiveConfig(context, flags.config);
      const { demo } = await import('../app/demo.ts');
      context.status = await demo({ config, rate: flags.rate, seconds: flags.seconds, signal: context.signal });
    });
}

function positive(text: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('Give a number above 0.');
}
