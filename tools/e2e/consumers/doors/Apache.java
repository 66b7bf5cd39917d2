import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.entity.mime.MultipartEntityBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.FileEntity;

/** Sends the calls of calls.tsv with Apache HttpClient, which names a charset for its forms. */
public class Apache {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClients.createDefault();
    for (String line : Files.readAllLines(Path.of("calls.tsv"))) {
      String[] call = line.split("\t");
      var address = java.net.URI.create(System.getenv("SPEECH_BASE_URL") + call[2]);
      var request = new HttpUriRequestBase(call[1], address);
      request.setHeader("Authorization", "Bearer " + System.getenv("SPEECH_API_KEY"));
      request.setHeader("model", "s2-pro");
      if (call[0].equals("upload"))
        request.setEntity(MultipartEntityBuilder.create().addBinaryBody("audio", new File("sound.wav")).build());
      else if (call[1].equals("POST"))
        request.setEntity(new FileEntity(new File(call[0] + ".body"), ContentType.create(call[3])));
      try {
        int status = client.execute(request, answer -> {
          Files.write(Path.of(call[0] + ".answer"), EntityUtils.toByteArray(answer.getEntity()));
          return answer.getCode();
        });
        System.out.println(call[0] + " " + status);
      } catch (IOException error) {
        System.out.println(call[0] + " no answer: " + error);
      }
    }
  }
}
