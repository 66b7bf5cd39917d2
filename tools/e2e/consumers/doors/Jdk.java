import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Sends the calls of calls.tsv with the HttpClient of the JDK, which offers HTTP/2 in each request. */
public class Jdk {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newHttpClient();
    for (String line : Files.readAllLines(Path.of("calls.tsv"))) {
      String[] call = line.split("\t");
      var request = HttpRequest.newBuilder(URI.create(System.getenv("SPEECH_BASE_URL") + call[2]))
          .timeout(Duration.ofSeconds(20))
          .header("Authorization", "Bearer " + System.getenv("SPEECH_API_KEY"))
          .header("model", "s2-pro");
      if (call[1].equals("POST"))
        request.header("Content-Type", call[3]).POST(BodyPublishers.ofFile(Path.of(call[0] + ".body")));
      try {
        var answer = client.send(request.build(), BodyHandlers.ofFile(Path.of(call[0] + ".answer")));
        System.out.println(call[0] + " " + answer.statusCode());
      } catch (IOException error) {
        System.out.println(call[0] + " no answer: " + error);
      }
    }
    System.exit(0);
  }
}
