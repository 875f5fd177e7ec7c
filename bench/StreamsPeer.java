import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * A topology of Kafka Streams, exactly once, that parses with Jackson, drops events that came before, and counts decisions. Its stores lie
 * in memory, with changelogs in the broker, and it commits every 5 s.
 *
 * Prints its CPU a message in microseconds, from its first message to its last.
 */
public class StreamsPeer {
  private static final ObjectMapper json = new ObjectMapper();
  private static final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final byte[] present = {1};

  public static void main(String[] args) throws IOException {
    String topic = args[1];
    long messages = Long.parseLong(args[3]);
    Map<String, String> gold = labels(Path.of(args[4]));
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore("seen"), Serdes.String(), Serdes.ByteArray()));
    builder.addStateStore(
        Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore("counts"), Serdes.String(), Serdes.Long())
            .withCachingEnabled());
    Progress progress = new Progress(messages);
    builder
        .stream(topic, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .process(() -> new Counting(gold, progress), "seen", "counts");
    new KafkaStreams(builder.build(), settings(args[0], args[2], args[5])).start();
  }

  private static Properties settings(String brokers, String application, String stateDir) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDir);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 5_000);
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, 1);
    settings.put(StreamsConfig.consumerPrefix("max.partition.fetch.bytes"), 4 << 20);
    settings.put(StreamsConfig.consumerPrefix("max.poll.records"), 5_000);
    return settings;
  }

  private static Map<String, String> labels(Path truth) throws IOException {
    Map<String, String> gold = new HashMap<>();
    for (String line : Files.readAllLines(truth)) {
      JsonNode row = json.readTree(line);
      gold.put(row.get("example_id").asText(), row.get("label").asText());
    }
    return gold;
  }

  /** Of the one stream thread. */
  private static class Progress {
    private final long messages;
    private long read;
    private long startNs;

    Progress(long messages) {
      this.messages = messages;
    }

    void begin() {
      if (read == 0) startNs = system.getProcessCpuTime();
    }

    void end() {
      if (++read < messages) return;
      System.out.println((system.getProcessCpuTime() - startNs) / 1e3 / read);
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  private static class Counting implements Processor<byte[], byte[], Void, Void> {
    private final Map<String, String> gold;
    private final Progress progress;
    private KeyValueStore<String, byte[]> seen;
    private KeyValueStore<String, Long> counts;

    Counting(Map<String, String> gold, Progress progress) {
      this.gold = gold;
      this.progress = progress;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      seen = context.getStateStore("seen");
      counts = context.getStateStore("counts");
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      progress.begin();
      take(record.value());
      progress.end();
    }

    private void take(byte[] value) {
      JsonNode event;
      try {
        event = json.readTree(value);
      } catch (IOException | IllegalArgumentException malformed) {
        count("rejected");
        return;
      }
      String expected = gold.get(event.path("example_id").asText());
      String id = event.path("event_id").asText();
      if (expected == null || id.isEmpty()) count("rejected");
      else if (seen.putIfAbsent(id, present) != null) count("duplicates");
      else
        count(String.join(
            "|", event.path("model").asText(), event.path("agent").asText(), expected, event.path("label").asText()));
    }

    private void count(String what) {
      Long before = counts.get(what);
      counts.put(what, before == null ? 1 : before + 1);
    }
  }
}
