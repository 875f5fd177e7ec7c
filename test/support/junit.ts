import { readFileSync } from 'node:fs';
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm';

/** A test case of a report in JUnit's form, as a reader of XML finds it. */
export interface ReadCase {
  readonly suite: string;
  readonly name: string;
  /** Message, and text, of its failure; undefined where it passes. */
  readonly failure: { readonly message: string; readonly text: string } | undefined;
}

const schema = XsdValidator.fromDoc(XmlDocument.fromString(readFileSync('test/fixtures/junit.xsd', 'utf8')));

/** Reads a report that the schema of Jenkins allows, and whose counts are right; throws else. */
export function readJunit(text: string): readonly ReadCase[] {
  const document = XmlDocument.fromString(text);
  schema.validate(document);
  const elements = (path: string, from: XmlElement = document.root): XmlElement[] => from.find(path) as XmlElement[];
  const attribute = (element: XmlElement, name: string): string => element.attr(name)!.value;
  for (const suite of [document.root, ...elements('testsuite')]) {
    const counted = [elements('.//testcase', suite).length, elements('.//failure', suite).length];
    const said = ['tests', 'failures'].map((name) => Number(attribute(suite, name)));
    if (counted.join() !== said.join()) throw new Error(`${attribute(suite, 'name')}: ${said} is said, ${counted} is`);
  }
  return elements('testsuite/testcase').map((one) => {
    const [failure] = elements('failure', one);
    return {
      suite: attribute(one, 'classname'),
      name: attribute(one, 'name'),
      failure: failure && { message: attribute(failure, 'message'), text: failure.content },
    };
  });
}
